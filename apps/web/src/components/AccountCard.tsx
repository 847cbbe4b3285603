import { displayAmount, parseAmount, shortenAddress, type AccountState } from '@latchkey/core'
import { useBalance, useDisconnect, useTokens } from '@latchkey/react'
import type { ReactElement } from 'react'
import type { KnownToken } from '../app/siteConfig.ts'

type AccountCardProps = { account: AccountState & { status: 'connected' }; tokens: readonly KnownToken[] }

export function AccountCard({ account, tokens }: AccountCardProps): ReactElement {
  const balance = useBalance()
  const held = useTokens()
  const { disconnect } = useDisconnect()
  const erc20 = (held.data ?? []).filter((token) => token.address !== undefined)
  return (
    <section className="card" aria-labelledby="account-title">
      <h2 id="account-title">{account.wallet.name}</h2>
      <dl>
        <dt>Address</dt>
        <dd title={account.address}>{shortenAddress(account.address)}</dd>
        <dt>Network</dt>
        <dd>{account.network.name}</dd>
        <dt>Balance</dt>
        <dd className="figure">
          {balance.data === undefined
            ? '…'
            : `${displayAmount(balance.data.value, balance.data.decimals)} ${balance.data.symbol}`}
        </dd>
        {erc20.map((token) => (
          <TokenRow key={token.address} symbol={token.symbol} numeric={token.quantity.numeric} />
        ))}
      </dl>
      {balance.isError && <p role="alert">The balance could not be read: {balance.error.message}</p>}
      {held.isError && <p role="alert">Token balances could not be read: {held.error.message}</p>}
      {held.isSuccess && erc20.length === 0 && (
        <p className="hint">
          No tokens on this network. The local world has{' '}
          {[...new Set(tokens.map(({ symbol }) => symbol))].join(' and ')}.
        </p>
      )}
      <button type="button" className="button" onClick={() => void disconnect()}>
        Disconnect
      </button>
    </section>
  )
}

function TokenRow({ symbol, numeric }: { symbol: string; numeric: string }): ReactElement {
  const decimals = numeric.split('.')[1]?.length ?? 0
  return (
    <>
      <dt>{symbol}</dt>
      <dd className="figure">{`${displayAmount(parseAmount(numeric, decimals), decimals)} ${symbol}`}</dd>
    </>
  )
}
