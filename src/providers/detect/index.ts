export { chooseModel, CPU_MODEL, type Choice, type CpuModel, type Found } from './choose-model.js';
export { detectModels, findModels } from './detect-models.js';
