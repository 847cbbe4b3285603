import type { Network } from '@latchkey/protocol'
import type { Question } from '../../families/family.ts'
import type { AppIdentity } from '../../wallet/appIdentity.ts'
import type { Origin } from '../../wallet/developerWallet.ts'
import { Address } from '../parts/Address.tsx'
import { Fact, Facts } from '../parts/Facts.tsx'
import { MessageQuestion } from '../questions/MessageQuestion.tsx'
import { NetworkQuestion } from '../questions/NetworkQuestion.tsx'
import { TransactionData } from '../questions/TransactionData.tsx'
import { TransactionQuestion } from '../questions/TransactionQuestion.tsx'
import { TypedDataQuestion } from '../questions/TypedDataQuestion.tsx'
import { useWalletState } from '../useStore.ts'
import { AppLine } from './AppLine.tsx'

type RequestContentProps = { app: AppIdentity; origin: Origin; network: Network; question: Question }

/** A request of a connected app, decoded. */
export function RequestContent({ app, origin, network, question }: RequestContentProps) {
  return (
    <>
      <AppLine app={app} origin={origin} />
      <Decoded question={question} network={network} />
      {'account' in question && (
        <Facts>
          <Fact name="Account">
            {question.account.name} <Address value={question.account.address} />
          </Fact>
          <Fact name="Network">
            <bdi>{network.name}</bdi>
          </Fact>
        </Facts>
      )}
      {question.kind === 'transaction' && <TransactionData data={question.transaction.data} />}
    </>
  )
}

function Decoded({ question, network }: { question: Question; network: Network }) {
  const { networks } = useWalletState()
  switch (question.kind) {
    case 'message':
      return <MessageQuestion message={question.message} />
    case 'typedData':
      return <TypedDataQuestion data={question.data} network={network.name} />
    case 'transaction':
      return <TransactionQuestion question={question} />
    case 'switchNetwork':
      return <NetworkQuestion network={question.network} isNew={false} />
    case 'addNetwork':
      return <NetworkQuestion network={question.network} isNew={!networks.includes(question.network)} />
  }
}
