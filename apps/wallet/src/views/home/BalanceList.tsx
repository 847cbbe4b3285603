import { displayAmount } from '@latchkey/core'
import type { Network } from '@latchkey/protocol'
import { useEffect } from 'react'
import type { Account, Balance } from '../../namespaces/namespaceAdapter.ts'
import { balanceKey, type NetworkBalances } from '../../wallet/balances.ts'
import { Skeleton } from '../components/Skeleton.tsx'
import { Tile } from '../components/Tile.tsx'
import { useStore, useWallet, useWalletState } from '../useStore.ts'

type Currency = { name: string; symbol: string }

/** Shows the account's balances by network. */
export function BalanceList({ account }: { account: Account }) {
  const { balances } = useWallet()
  const { networks } = useWalletState()
  const table = useStore(balances.store)
  useEffect(() => balances.follow(account, networks), [balances, account, networks])
  return networks
    .filter(({ chainNamespace }) => chainNamespace === account.namespace)
    .map((network) => (
      <NetworkSection key={network.caipNetworkId} network={network} known={table[balanceKey(account, network)]} />
    ))
}

function NetworkSection({ network, known }: { network: Network; known: NetworkBalances | undefined }) {
  const { config } = useWallet()
  const balances = known?.status === 'read' ? known.balances : known?.status === 'failed' ? known.last : undefined
  const tokens = config.tokens.filter(({ caipNetworkId }) => caipNetworkId === network.caipNetworkId)
  const titleId = `network-${network.caipNetworkId}`
  return (
    <section className="group">
      <h2 id={titleId}>
        <bdi>{network.name}</bdi>
      </h2>
      {known?.status === 'failed' && (
        <p className="caution">
          {known.reason} {balances === undefined ? 'Retrying automatically.' : 'These are the last known balances.'}
        </p>
      )}
      <ul className="card" aria-labelledby={titleId}>
        {balances?.map((balance) => (
          <BalanceRow key={balance.asset} balance={balance} />
        ))}
        {balances === undefined &&
          [network.nativeCurrency, ...tokens].map((currency) => (
            <EmptyRow key={currency.symbol} currency={currency} isLoading={known?.status !== 'failed'} />
          ))}
      </ul>
    </section>
  )
}

function BalanceRow({ balance: { name, symbol, decimals, amount } }: { balance: Balance }) {
  return (
    <li className="row">
      <Tile name={symbol} seed={symbol} />
      <span className="row-text">
        <span className="strong">{name}</span>
        <small>{symbol}</small>
      </span>
      <span className="figure">{displayAmount(amount, decimals)}</span>
    </li>
  )
}

/** A placeholder for a balance, so that nothing moves when it loads. */
function EmptyRow({ currency: { name, symbol }, isLoading }: { currency: Currency; isLoading: boolean }) {
  return (
    <li className="row">
      <Tile name={symbol} seed={symbol} />
      <span className="row-text">
        <span className="strong">{name}</span>
        <small>{symbol}</small>
      </span>
      <span className="figure">{isLoading ? <Skeleton characters={8} /> : 'Unknown'}</span>
    </li>
  )
}
