export {
  chooseModel,
  CPU_MODEL,
  type Choice,
  type CpuModel,
  type Detection,
  type Found,
  type LocalServer,
} from './choose-model.js';
export {
  detectModels,
  findModels,
  localServers,
  webgpuAdapter,
  type DetectSettings,
  type Probes,
} from './detect-models.js';
