import type { TransactionAction } from '../../namespaces/transactionSummary.ts'
import type { PendingRequest } from '../../wallet/developerWallet.ts'

/** Returns the title of a pending request. */
export function requestTitle(pending: PendingRequest): string {
  if (pending.kind === 'proposal') return 'Connect to an app'
  const { decoded } = pending
  switch (decoded.kind) {
    case 'message':
      return 'Sign a message'
    case 'typedData':
      return 'Sign data'
    case 'transaction':
      return actionTitle(decoded.transaction.action)
    case 'switchNetwork':
      return 'Switch the network'
    case 'addNetwork':
      return 'Add a network'
  }
}

function actionTitle(action: TransactionAction): string {
  switch (action.kind) {
    case 'send':
    case 'tokenTransfer':
      return 'Send'
    case 'itemTransfer':
      return 'Send an item'
    case 'tokenApproval':
      return 'Let an app spend a token'
    case 'collectionApproval':
      return action.isGranted ? 'Let an app move a collection' : 'Revoke access to a collection'
    case 'call':
      return 'Call a contract'
    case 'create':
      return 'Create a contract'
  }
}
