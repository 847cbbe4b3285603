export type { Asset, Fee, Outcome, ReceiverNote, Sent, Transfer, Transfers } from './transfers.ts'
