/** The shell's interpreter, for the single module that uses it. The build inserts all of its code here. */
export { Bash, getCommandNames } from 'just-bash/browser';
