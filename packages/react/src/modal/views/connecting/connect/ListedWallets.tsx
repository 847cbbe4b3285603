import type { WalletRow } from '@latchkey/core'
import { internalsOf } from '@latchkey/core/internal'
import type { WalletListEntry, WalletListQuery } from '@latchkey/protocol'
import { useState, type ReactElement } from 'react'
import { useLatchkey } from '../../../../context.ts'
import { useWalletList } from '../../../../queries/useWalletList.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { chooseWallet } from '../../../chooseWallet.ts'
import { readEnvironment } from '../../../pairing/environment.ts'
import { isOpenable } from '../../../pairing/openings.ts'
import type { WalletGroups } from './walletGroups.ts'
import { Row, SkeletonRows, WalletMark } from '../../../parts/index.tsx'

/** The first page of the list. Its first wallets are recommended, and it contains the total count [R9.2.2]. */
const recommendedQuery: WalletListQuery = { page: 1, entries: 4 }

type ListedWalletsProps = {
  group: 'featured' | 'recommended'
  /** The maximum number of rows. */
  room: number
  shown: WalletGroups
}

/** Wallets of the server's list that are not shown elsewhere. */
export function ListedWallets({ group, room, shown }: ListedWalletsProps): ReactElement {
  const { featuredWallets } = internalsOf(useLatchkey()).settings
  const featuredQuery = { page: 1, entries: featuredWallets.length, include: featuredWallets }
  const [environment] = useState(readEnvironment)
  const { data, isPending, isError, refetch } = useWalletList(group === 'featured' ? featuredQuery : recommendedQuery)
  if (isPending) return <SkeletonRows count={room} />
  if (isError) return <ListFailed retry={refetch} />
  const wallets = data.data.filter((wallet) => !isShown(wallet, shown) && isOpenable(wallet, environment))
  const chosen =
    group === 'featured'
      ? wallets.toSorted((a, b) => featuredWallets.indexOf(a.id) - featuredWallets.indexOf(b.id))
      : wallets.filter(({ id }) => !featuredWallets.includes(id)).slice(0, room)
  return (
    <>
      {chosen.map((wallet) => (
        <ListedRow key={wallet.id} wallet={wallet} />
      ))}
    </>
  )
}

/** A recent wallet, with its image and links once the list is loaded. */
export function RecentListedWallet({ wallet, tag }: { wallet: WalletRow; tag: string }): ReactElement {
  const { id, name } = wallet
  const { data } = useWalletList({ include: [id] })
  const known = data?.data.find((entry) => entry.id === id)
  return <ListedRow wallet={known ?? { id, name, image_id: '', chains: [] }} tag={tag} />
}

/** Returns the number of listed wallets: exact if small, otherwise in tens, and empty while unknown. */
export function WalletCount(): string {
  const count = useWalletList(recommendedQuery).data?.count
  if (count === undefined) return ''
  return count < 10 ? String(count) : `${count - (count % 10)}+`
}

function ListedRow({ wallet, tag }: { wallet: WalletListEntry; tag?: string }): ReactElement {
  const latchkey = useLatchkey()
  return (
    <Row
      mark={<WalletMark wallet={wallet} />}
      name={wallet.name}
      tag={tag}
      onChoose={() => chooseWallet(latchkey, wallet)}
    />
  )
}

function ListFailed({ retry }: { retry(): void }): ReactElement {
  const { connect: t } = useModalMessages()
  return (
    <li className="notice">
      <p className="hint" role="status">
        {t.listFailed}
      </p>
      <button type="button" className="link" onClick={() => retry()}>
        {t.retry}
      </button>
    </li>
  )
}

function isShown({ id, rdns }: WalletListEntry, { recent, injected, external, custom }: WalletGroups): boolean {
  return [...recent, ...injected, ...external, ...custom].some(
    (row) => row.id === id || (rdns !== undefined && row.rdns === rdns),
  )
}
