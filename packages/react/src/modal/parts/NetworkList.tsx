import type { ChainId, Network } from '@latchkey/protocol'
import { useId, type ReactElement } from 'react'
import { useAccount } from '../../hooks/useAccount.ts'
import { useModalMessages } from '../../messages/useModalMessages.ts'
import { describeFailure } from '../describeFailure.ts'
import { useSlow } from '../timing/useSlow.ts'
import type { Switch } from './useNetworkSwitch.ts'
import { Icon, NetworkMark } from './index.tsx'

type NetworkListProps = {
  /** The heading of the list, if any. */
  title?: string
  networks: readonly Network[]
  /** The current network. */
  current: ChainId | undefined
  /** True if the wallet approved the network. */
  isApproved(network: Network): boolean
  state: Switch
  choose(chainId: ChainId): void
}

/** A list of networks. The current and the pending network are marked. */
export function NetworkList({ title, networks, current, isApproved, state, choose }: NetworkListProps): ReactElement {
  const { networks: t } = useModalMessages()
  const id = useId()
  return (
    <section className="group" aria-labelledby={title === undefined ? undefined : id}>
      {title !== undefined && <h2 id={id}>{title}</h2>}
      <ul className="rows">
        {networks.map((network) => {
          const { caipNetworkId, name } = network
          const isCurrent = caipNetworkId === current
          return (
            <li key={caipNetworkId}>
              <button
                type="button"
                className="row"
                part="row"
                aria-current={isCurrent}
                onClick={() => choose(caipNetworkId)}
              >
                <NetworkMark network={network} />
                <span className="text">
                  <span className="name">{name}</span>
                  {!isCurrent && !isApproved(network) && <span className="sub">{t.unsupported}</span>}
                  <NetworkNote chainId={caipNetworkId} state={state} />
                </span>
                {isCurrent && (
                  <>
                    <span className="hidden">{t.current}</span>
                    <Icon name="check" />
                  </>
                )}
                {state.status === 'waiting' && state.chainId === caipNetworkId && <span className="spinner" />}
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** The status of a pending or failed switch. */
function NetworkNote({ chainId, state }: { chainId: ChainId; state: Switch }): ReactElement | null {
  const strings = useModalMessages()
  const account = useAccount()
  const { networks: t } = strings
  const isMine = state.status !== 'idle' && state.chainId === chainId
  const isSlow = useSlow(isMine && state.status === 'waiting' ? chainId : undefined)
  if (!isMine || account.status !== 'connected') return null
  if (state.status === 'failed') {
    return (
      <span className="sub whole" role="alert">
        {describeFailure(strings, state.error)}
      </span>
    )
  }
  return (
    <span className="sub whole" role="status">
      {isSlow ? t.slow({ wallet: account.wallet.name }) : t.approve({ wallet: account.wallet.name })}
    </span>
  )
}
