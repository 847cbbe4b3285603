import { pushView } from '@latchkey/modal'
import type { WalletListEntry } from '@latchkey/protocol'
import { useState, type ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useWalletPages, type WalletPages } from '../../../../queries/useWalletPages.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { chooseWallet } from '../../../chooseWallet.ts'
import { readEnvironment } from '../../../pairing/environment.ts'
import { isOpenable } from '../../../pairing/openings.ts'
import { SearchField } from '../../../parts/SearchField.tsx'
import { useViewStyles } from '../../../shell/shadowRoot.ts'
import { useDebounced } from '../../../timing/useDebounced.ts'
import { allWalletsCss } from './allWallets.css.ts'
import { useEndReached } from './useEndReached.ts'
import { useGridKeys } from './useGridKeys.ts'
import { WalletMark } from '../../../parts/index.tsx'

/** Delay after the last key before the search request [R9.1.6]. */
const searchMilliseconds = 300

/** The wallet list of the server, page by page, with a search. */
export default function AllWalletsView(): ReactElement {
  const { allWallets: t } = useModalMessages()
  const [typed, setTyped] = useState('')
  const search = useDebounced(typed.trim(), searchMilliseconds)
  const pages = useWalletPages(search)
  const isDone = pages.status === 'success' && search === typed.trim()
  useViewStyles(allWalletsCss)
  return (
    <div className="all">
      <SearchField label={t.search} clearLabel={t.clear} value={typed} onChange={setTyped} />
      <p role="status" className="hidden">
        {isDone ? t.results({ count: pages.count }) : t.loading}
      </p>
      <Results key={search} search={search} pages={pages} />
    </div>
  )
}

function Results({ search, pages }: { search: string; pages: WalletPages }): ReactElement {
  const latchkey = useLatchkey()
  const { allWallets: t } = useModalMessages()
  if (pages.status === 'error') {
    return (
      <div className="notice" role="alert">
        <p className="hint">{t.listFailed}</p>
        <button type="button" className="button" data-primary="" onClick={pages.retry}>
          {t.retry}
        </button>
      </div>
    )
  }
  if (pages.status === 'success' && pages.wallets.length === 0) {
    return (
      <div className="notice">
        <p className="hint">{search === '' ? t.empty : t.noResults({ search })}</p>
        <button
          type="button"
          className="button"
          onClick={() => pushView(latchkey, { view: 'ConnectingWalletConnect', params: {} })}
        >
          {t.scan}
        </button>
      </div>
    )
  }
  return <Grid pages={pages} />
}

function Grid({ pages }: { pages: WalletPages }): ReactElement {
  const { end, scroller } = useEndReached(pages.wallets.length, pages.more)
  const keys = useGridKeys()
  const [environment] = useState(readEnvironment)
  const isWaiting = pages.status === 'pending'
  return (
    <div ref={scroller} className="all-scroll">
      <ul className="grid" {...keys}>
        {pages.wallets
          .filter((wallet) => isOpenable(wallet, environment))
          .map((wallet, index) => (
            <WalletCell key={wallet.id} wallet={wallet} isFirst={index === 0} />
          ))}
        {(isWaiting || pages.hasMore) && <SkeletonCells elementRef={end} count={isWaiting ? 16 : 8} />}
      </ul>
    </div>
  )
}

function WalletCell({ wallet, isFirst }: { wallet: WalletListEntry; isFirst: boolean }): ReactElement {
  const latchkey = useLatchkey()
  return (
    <li>
      <button
        type="button"
        className="cell"
        part="wallet"
        title={wallet.name}
        tabIndex={isFirst ? 0 : -1}
        onClick={() => chooseWallet(latchkey, wallet)}
      >
        <WalletMark wallet={wallet} />
        <span className="name">{wallet.name}</span>
      </button>
    </li>
  )
}

type SkeletonCellsProps = { count: number; elementRef: (first: HTMLElement | null) => void }

function SkeletonCells({ count, elementRef }: SkeletonCellsProps): ReactElement[] {
  return Array.from({ length: count }, (_, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- nothing tells skeletons apart
    <li key={`skeleton ${index}`} ref={index === 0 ? elementRef : undefined} className="cell" aria-hidden="true">
      <span className="skeleton" />
      <span className="skeleton" />
    </li>
  ))
}
