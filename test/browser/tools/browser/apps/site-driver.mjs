import { allowDriving } from '../../../../../src/tools/browser/driver/site/allow-driving.ts';

// What a site's own script would say; its pages name who may drive them.
allowDriving({ origins: globalThis.mayDrive });
