import { shortenAddress } from '@latchkey/core'
import { removeCustomToken, setHiddenAsset } from '@latchkey/core/money'
import { showToast } from '@latchkey/modal'
import { tokensMessages } from '@latchkey/modal/messages'
import { parseAccountId, type TokenBalance } from '@latchkey/protocol'
import { useState, type ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useAccount } from '../../../../hooks/useAccount.ts'
import { FlowMessages } from '../../../../messages/FlowMessages.tsx'
import { useFlowMessages } from '../../../../messages/useFlowMessages.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { FoundToken } from '../../../money/FoundToken.tsx'
import { moneyCss } from '../../../money/money.css.ts'
import { ReportSpam } from '../../../money/ReportSpam.tsx'
import { useTokenLookup } from '../../../money/useTokenLookup.ts'
import { SearchField } from '../../../parts/SearchField.tsx'
import { Mark, SkeletonRows } from '../../../parts/index.tsx'
import { useViewStyles } from '../../../shell/shadowRoot.ts'
import { accountCss } from '../account/account.css.ts'
import { NotConnected } from '../account/NotConnected.tsx'
import { useTokenList, type TokenList } from '../account/useTokenList.ts'
import { manageTokensCss } from './manageTokens.css.ts'

/** Imports tokens by their address, hides them and removes imported ones. */
export default function ManageTokensView(): ReactElement {
  const account = useAccount()
  useViewStyles(accountCss + moneyCss + manageTokensCss)
  if (account.status !== 'connected') return <NotConnected account={account} />
  return (
    <FlowMessages chunk={tokensMessages}>
      <ManageTokens />
    </FlowMessages>
  )
}

function ManageTokens(): ReactElement {
  const latchkey = useLatchkey()
  const t = useFlowMessages(tokensMessages)
  const { allWallets } = useModalMessages()
  const list = useTokenList()
  const [search, setSearch] = useState('')
  const tokens = list === undefined ? [] : [...list.shown, ...list.hidden]
  const shown = tokens.filter((token) => isMatch(token, search))
  const found = useTokenLookup(list === undefined || shown.length > 0 ? undefined : search)
  return (
    <>
      <SearchField label={t.search} clearLabel={allWallets.clear} value={search} onChange={setSearch} />
      <FoundToken
        found={found}
        symbols={tokens.map(({ symbol }) => symbol)}
        onImport={({ asset: { symbol } }) => {
          setSearch('')
          showToast(latchkey, t.importDone({ symbol }))
        }}
      />
      {list === undefined ? (
        <ul className="rows">
          <SkeletonRows count={3} />
        </ul>
      ) : (
        <ul className="rows managed-tokens">
          {shown.map((token) => (
            <ManagedToken key={token.address ?? ''} token={token} list={list} />
          ))}
        </ul>
      )}
      {list !== undefined && found === undefined && (
        <p className="hint center" role="status">
          {shown.length === 0 ? t.noTokens : t.hint}
        </p>
      )}
    </>
  )
}

/** A token, with buttons that hide it and remove it. A hidden one can be reported. The native currency has none. */
function ManagedToken({ token, list }: { token: TokenBalance; list: TokenList }): ReactElement {
  const latchkey = useLatchkey()
  const t = useFlowMessages(tokensMessages)
  const { name, symbol, iconUrl, address: id } = token
  const address = id === undefined ? undefined : parseAccountId(id).address
  const isImported = list.imported.some((each) => each.address.toLowerCase() === address?.toLowerCase())
  const isHidden = list.hidden.includes(token)
  return (
    <>
      <li className="row holding" part="row">
        <Mark name={symbol} icon={iconUrl === '' ? undefined : iconUrl} />
        <span className="text">
          <span className="name">{name}</span>
          <span className="sub">
            <span>{symbol}</span>
            {address !== undefined && (
              <bdi dir="ltr" title={address}>
                {shortenAddress(address)}
              </bdi>
            )}
            {isImported && <span>{t.imported}</span>}
          </span>
        </span>
        {id !== undefined && address !== undefined && (
          <span className="managed-token-actions">
            {isImported && (
              <button
                type="button"
                className="small-button"
                aria-label={t.removeOf({ name })}
                onClick={() => removeCustomToken(latchkey, address)}
              >
                {t.remove}
              </button>
            )}
            <button
              type="button"
              className="small-button"
              aria-label={isHidden ? t.showOf({ name }) : t.hideOf({ name })}
              onClick={() => setHiddenAsset(latchkey, id, !isHidden)}
            >
              {isHidden ? t.show : t.hide}
            </button>
          </span>
        )}
      </li>
      {isHidden && !isImported && id !== undefined && (
        <li className="report-line">
          <ReportSpam id={id} name={name} />
        </li>
      )}
    </>
  )
}

/** True if a search finds a token by its name, symbol or address. */
function isMatch({ name, symbol, address = '' }: TokenBalance, search: string): boolean {
  return `${name}\n${symbol}\n${address}`.toLowerCase().includes(search.trim().toLowerCase())
}
