import type { ChainId, Network } from '@latchkey/protocol'
import { useId, type ReactElement } from 'react'
import { useAccount } from '../../hooks/useAccount.ts'
import { useStrings } from '../../strings/useStrings.ts'
import { describeFailure } from '../describeFailure.ts'
import { useSlow } from '../useSlow.ts'
import type { Switch } from '../useSwitch.ts'
import { Icon, Mark } from '../parts.tsx'

type NetworkListProps = {
  /** What the networks have in common, where that is worth a heading. */
  title?: string
  networks: readonly Network[]
  /** The one in use. */
  current: ChainId | undefined
  /** Whether the wallet said that it can use a network. */
  isApproved(network: Network): boolean
  state: Switch
  choose(chainId: ChainId): void
}

/** Networks to go to; the one in use is marked, and the one that is waited for says so. */
export function NetworkList({ title, networks, current, isApproved, state, choose }: NetworkListProps): ReactElement {
  const { networks: t } = useStrings()
  const id = useId()
  return (
    <section className="group" aria-labelledby={title === undefined ? undefined : id}>
      {title !== undefined && <h2 id={id}>{title}</h2>}
      <ul className="rows">
        {networks.map((network) => {
          const { caipNetworkId, name, assets } = network
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
                <Mark name={name} icon={assets?.imageUrl} />
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

/** What is awaited from the wallet, or why it did not go. */
function NetworkNote({ chainId, state }: { chainId: ChainId; state: Switch }): ReactElement | null {
  const strings = useStrings()
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
      {isSlow ? t.slow(account.wallet.name) : t.approve(account.wallet.name)}
    </span>
  )
}
