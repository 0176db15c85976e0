import { consumerSuite } from './consumer-suite.js';
import { otherConsumers } from './consumers.js';

for (const consumer of otherConsumers) consumerSuite(consumer);
