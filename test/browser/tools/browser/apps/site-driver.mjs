import { allowDriving } from '../../../../../src/tools/browser/driver/site/allow-driving.ts';

// The script of a site with the driver. Its pages list the origins that may drive them.
allowDriving({ origins: globalThis.mayDrive });
