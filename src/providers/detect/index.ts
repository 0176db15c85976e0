export { chooseModel, CPU_MODEL, type Choice, type CpuModel, type Found } from './detect-models.js';
export { detectModels, findModels } from './detect-models.js';
