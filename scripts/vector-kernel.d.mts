/** The source of the module that holds the compiled kernels. */
export function kernelModule(): Promise<string>;
