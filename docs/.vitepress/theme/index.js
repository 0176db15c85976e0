import DefaultTheme from 'vitepress/theme-without-fonts';
import { Diagram } from './diagram.js';
import { Live } from './live.js';
import { Plot } from './plot.js';
import './style.css';

/** The default theme with the colors of the demo, fonts of the system, diagrams, plots, and live examples. */
export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('Diagram', Diagram);
    app.component('Live', Live);
    app.component('Plot', Plot);
  },
};
