import { displayAmount } from '@latchkey/core'
import type { Network } from '@latchkey/protocol'
import { useEffect } from 'react'
import type { Account, Balance } from '../../families/family.ts'
import { balanceKey, type NetworkBalances } from '../../wallet/balances.ts'
import { Skeleton } from '../parts/Skeleton.tsx'
import { Tile } from '../parts/Tile.tsx'
import { useStore, useWallet, useWalletState } from '../useStore.ts'

/** What the account has, network by network. */
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
  const balances = known?.status === 'read' ? known.balances : known?.status === 'failed' ? known.last : undefined
  const titleId = `network-${network.caipNetworkId}`
  return (
    <section className="group">
      <h2 id={titleId}>
        <bdi>{network.name}</bdi>
      </h2>
      {known?.status === 'failed' && (
        <p className="caution">
          {known.reason}{' '}
          {balances === undefined ? 'It is tried again by itself.' : 'These are the last known balances.'}
        </p>
      )}
      <ul className="card" aria-labelledby={titleId}>
        {balances?.map((balance) => (
          <BalanceRow key={balance.asset} balance={balance} />
        ))}
        {balances === undefined && <EmptyRow network={network} isLoading={known?.status !== 'failed'} />}
      </ul>
    </section>
  )
}

function BalanceRow({ balance: { asset, name, symbol, decimals, amount } }: { balance: Balance }) {
  return (
    <li className="row">
      <Tile name={symbol} seed={asset} />
      <span className="row-text">
        <span className="strong">{name}</span>
        <small>{symbol}</small>
      </span>
      <span className="figure">{displayAmount(amount, decimals)}</span>
    </li>
  )
}

function EmptyRow({ network: { nativeCurrency }, isLoading }: { network: Network; isLoading: boolean }) {
  return (
    <li className="row">
      <Tile name={nativeCurrency.symbol} seed="native" />
      <span className="row-text">
        <span className="strong">{nativeCurrency.name}</span>
        <small>{nativeCurrency.symbol}</small>
      </span>
      <span className="figure">{isLoading ? <Skeleton characters={8} /> : 'Not known'}</span>
    </li>
  )
}
