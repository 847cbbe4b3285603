export { startFaultProxy, type FaultProxy, type FaultProxyOptions, type LineFaults } from './faultProxy.ts'
export { createRandom, type Random } from './random.ts'
