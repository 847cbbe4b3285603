import type { Network } from '@latchkey/protocol'
import type { DecodedRequest } from '../../namespaces/namespaceAdapter.ts'
import type { AppIdentity } from '../../wallet/appIdentity.ts'
import type { Origin } from '../../wallet/developerWallet.ts'
import { Address } from '../components/Address.tsx'
import { Fact, Facts } from '../components/Facts.tsx'
import { MessageDetails } from '../details/MessageDetails.tsx'
import { NetworkDetails } from '../details/NetworkDetails.tsx'
import { TransactionData } from '../details/TransactionData.tsx'
import { TransactionDetails } from '../details/TransactionDetails.tsx'
import { TypedDataDetails } from '../details/TypedDataDetails.tsx'
import { useWalletState } from '../useStore.ts'
import { AppLine } from './AppLine.tsx'

type RequestContentProps = { app: AppIdentity; origin: Origin; network: Network; decoded: DecodedRequest }

/** Shows the decoded request of a connected app. */
export function RequestContent({ app, origin, network, decoded }: RequestContentProps) {
  return (
    <>
      <AppLine app={app} origin={origin} />
      <Decoded decoded={decoded} network={network} />
      {'account' in decoded && (
        <Facts>
          <Fact name="Account">
            {decoded.account.name} <Address value={decoded.account.address} />
          </Fact>
          <Fact name="Network">
            <bdi>{network.name}</bdi>
          </Fact>
        </Facts>
      )}
      {decoded.kind === 'transaction' && <TransactionData data={decoded.transaction.data} />}
    </>
  )
}

function Decoded({ decoded, network }: { decoded: DecodedRequest; network: Network }) {
  const { networks } = useWalletState()
  switch (decoded.kind) {
    case 'message':
      return <MessageDetails message={decoded.message} />
    case 'typedData':
      return <TypedDataDetails data={decoded.data} network={network.name} />
    case 'transaction':
      return <TransactionDetails decoded={decoded} />
    case 'switchNetwork':
      return <NetworkDetails network={decoded.network} isNew={false} />
    case 'addNetwork':
      return <NetworkDetails network={decoded.network} isNew={!networks.includes(decoded.network)} />
  }
}
