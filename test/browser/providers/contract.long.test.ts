import { inject } from 'vitest';
import { chatModelContract } from '../../contracts/chat-model.js';
import { overUser } from '../../contracts/human-model.js';
import { contractsOverServer } from '../../contracts/models-over-server.js';
import { remoteFaultServer } from '../../fault-server/remote.js';

contractsOverServer(() => remoteFaultServer(inject('faultServer')));
chatModelContract('human', overUser);
