/** The shell's interpreter, for the one module that uses it: the build puts all of its code in this place. */
export { Bash, getCommandNames } from 'just-bash/browser';
