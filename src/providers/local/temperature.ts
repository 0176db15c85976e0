/** Temperature of requests without one, where the engine is or may be llama.cpp: small models write unreadable commands at its default, 0.8. */
export const LOCAL_TEMPERATURE = 0.2;
