import { firstOf } from '../size.js';
import { consumerSuite } from './consumer-suite.js';
import { otherConsumers } from './consumers.js';

for (const consumer of firstOf(otherConsumers)) consumerSuite(consumer);
