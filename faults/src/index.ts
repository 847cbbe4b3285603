export { checkHistory, type Verdict } from './history/checker.ts'
export { startFaultProxy, type FaultProxy, type FaultProxyOptions, type LineFaults } from './proxies/faultProxy.ts'
export { openCoverage, type Coverage } from './fuzz/openCoverage.ts'
export { runFuzz, type FuzzOutcome, type FuzzOptions, type FuzzResult, type FuzzTarget } from './fuzz/runFuzz.ts'
export { createHistory, readHistory, type History, type HistoryLine, type Operation } from './history/history.ts'
export { createRandom, type Random } from './random.ts'
export {
  startMessageProxy,
  type MessageFaults,
  type MessageProxy,
  type MessageProxyOptions,
} from './proxies/messageProxy.ts'
export { createPeer, type Peer, type PeerOptions } from './peer.ts'
export { startRelayProcess, type RelayProcess, type RelayProcessOptions } from './relayProcess.ts'
export { startKillableServer, type KillableServer, type KillableServerOptions } from './killableServer.ts'
