export {
  chooseModel,
  CPU_MODEL,
  detectModels,
  findModels,
  type Choice,
  type CpuModel,
  type Found,
} from './detect-models.js';
