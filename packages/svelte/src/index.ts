export {
  actionStore,
  connectStore,
  disconnectStore,
  sendTransactionStore,
  signInStore,
  signMessageStore,
  switchNetworkStore,
  type ActionStore,
} from './actionStore.ts'
export { latchkeyButton, type LatchkeyButtonParameters } from './latchkeyButton.ts'
export {
  signTypedDataStore,
  writeContractStore,
  type SignTypedDataStore,
  type WriteContractStore,
} from './writeContractStore.ts'
export { mountModal } from '@latchkey/elements'
export {
  accountStore,
  accountsStore,
  connectionsStore,
  connectorsStore,
  modalStore,
  signInStateStore,
  type Readable,
} from './accountStore.ts'
export { isLatchkeyError } from '@latchkey/protocol'
