import type { TransactionAction } from '../../families/question.ts'
import type { Ask } from '../../wallet/developerWallet.ts'

/** What the owner is asked, in a few words. */
export function questionTitle(ask: Ask): string {
  if (ask.kind === 'proposal') return 'Connect to an app'
  const { question } = ask
  switch (question.kind) {
    case 'message':
      return 'Sign a message'
    case 'typedData':
      return 'Sign data'
    case 'transaction':
      return actionTitle(question.transaction.action)
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
      return action.isGranted ? 'Let an app move a collection' : 'Take back an allowance'
    case 'call':
      return 'Call a contract'
    case 'create':
      return 'Create a contract'
  }
}
