import { sized } from '../size.js';
import { consumerSuite } from './consumer-suite.js';
import { otherConsumers } from './consumers.js';

for (const consumer of otherConsumers.slice(0, sized(otherConsumers.length))) consumerSuite(consumer);
