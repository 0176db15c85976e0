import DefaultTheme from 'vitepress/theme-without-fonts';
import { Diagram } from './diagram.js';
import './style.css';

/** The default theme with the colors of the demo, fonts of the system, and diagrams. */
export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('Diagram', Diagram);
  },
};
