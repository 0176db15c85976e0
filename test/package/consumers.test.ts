import { consumerSuite } from './consumer-suite.js';
import { VITE } from './consumers.js';

consumerSuite(VITE);
