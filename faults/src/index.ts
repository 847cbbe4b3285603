export { checkHistory, type Verdict } from './checker.ts'
export { startFaultProxy, type FaultProxy, type FaultProxyOptions, type LineFaults } from './faultProxy.ts'
export { createHistory, readHistory, type History, type HistoryLine, type Operation } from './history.ts'
export { createRandom, type Random } from './random.ts'
