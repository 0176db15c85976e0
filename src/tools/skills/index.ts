export { skills } from './skills.js';
