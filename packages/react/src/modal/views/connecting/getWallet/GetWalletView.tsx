import { internalsOf } from '@latchkey/core/internal'
import { pushView } from '@latchkey/modal'
import type { WalletListEntry } from '@latchkey/protocol'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useWalletList } from '../../../../queries/useWalletList.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { Icon, Row, SkeletonRows, WalletMark } from '../../../parts/index.tsx'

/** The first page of the wallet list, which the connect view uses too [R9.2.2]. */
const query = { page: 1, entries: 4 }

/** Recommends wallets to users without one. */
export default function GetWalletView(): ReactElement {
  const latchkey = useLatchkey()
  const { getWallet: t } = useModalMessages()
  const { server, customWallets } = internalsOf(latchkey).settings
  const hasList = server !== undefined
  if (!hasList && customWallets.length === 0) return <Nothing />
  return (
    <>
      <p className="hint">{t.intro}</p>
      <ul className="rows">
        {customWallets.map((wallet) => (
          <WalletRow key={wallet.id} wallet={wallet} />
        ))}
        {hasList && <Listed />}
        {hasList && (
          <Row
            mark={
              <span className="mark">
                <Icon name="grid" />
              </span>
            }
            name={t.all}
            onChoose={() => pushView(latchkey, { view: 'AllWallets', params: {} })}
          />
        )}
      </ul>
    </>
  )
}

function Listed(): ReactElement {
  const { getWallet: t } = useModalMessages()
  const { data, isPending, isError, refetch } = useWalletList(query)
  if (isPending) return <SkeletonRows count={query.entries} />
  if (isError) {
    return (
      <li className="notice" role="alert">
        <p className="hint">{t.listFailed}</p>
        <button type="button" className="link" onClick={() => void refetch()}>
          {t.retry}
        </button>
      </li>
    )
  }
  return (
    <>
      {data.data.map((wallet) => (
        <WalletRow key={wallet.id} wallet={wallet} />
      ))}
    </>
  )
}

function WalletRow({ wallet }: { wallet: WalletListEntry }): ReactElement {
  const latchkey = useLatchkey()
  return (
    <Row
      mark={<WalletMark wallet={wallet} />}
      name={wallet.name}
      onChoose={() => pushView(latchkey, { view: 'Downloads', params: { wallet } })}
    />
  )
}

/** Shown if no wallet is listed. */
function Nothing(): ReactElement {
  const latchkey = useLatchkey()
  const { getWallet: t } = useModalMessages()
  return (
    <>
      <p className="hint center">{t.noWallets}</p>
      <button
        type="button"
        className="button"
        onClick={() => pushView(latchkey, { view: 'WhatIsAWallet', params: {} })}
      >
        <Icon name="key" />
        {t.whatIs}
      </button>
    </>
  )
}
