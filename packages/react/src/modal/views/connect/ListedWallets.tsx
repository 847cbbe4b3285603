import type { RecentWallet } from '@latchkey/core'
import type { WalletListEntry, WalletListQuery } from '@latchkey/protocol'
import type { ReactElement } from 'react'
import { useLatchkey } from '../../../context.ts'
import { useWalletList } from '../../../queries/useWalletList.ts'
import { useStrings } from '../../../strings/useStrings.ts'
import { chooseWallet } from '../../chooseWallet.ts'
import type { WaysIn } from './waysIn.ts'
import { Row, SkeletonRows, WalletMark } from '../../parts.tsx'

/** The first page of the list: its first wallets are recommended, and it tells how many there are [R9.2.2]. */
const recommendedQuery: WalletListQuery = { page: 1, entries: 4 }

type ListedWalletsProps = {
  group: 'featured' | 'recommended'
  /** How many rows there is room for. */
  room: number
  besides: WaysIn
}

/** Wallets of the server's list, but none that is shown already. */
export function ListedWallets({ group, room, besides }: ListedWalletsProps): ReactElement {
  const { featuredWallets } = useLatchkey().settings
  const featuredQuery = { page: 1, entries: featuredWallets.length, include: featuredWallets }
  const { data, isPending, isError, refetch } = useWalletList(group === 'featured' ? featuredQuery : recommendedQuery)
  if (isPending) return <SkeletonRows count={room} />
  if (isError) return <ListFailed retry={refetch} />
  const wallets = data.data.filter((wallet) => !isShown(wallet, besides))
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

/** A wallet of the list that was used before, with its picture and links once the list has them. */
export function RecentListedWallet({ wallet, tag }: { wallet: RecentWallet; tag: string }): ReactElement {
  const { data } = useWalletList({ include: [wallet.id] })
  const known = data?.data.find(({ id }) => id === wallet.id)
  return <ListedRow wallet={known ?? { ...wallet, image_id: '', chains: [] }} tag={tag} />
}

/** How many wallets the list has: exactly when few, else in full tens. */
export function WalletCount(): string {
  const count = useWalletList(recommendedQuery).data?.count ?? 0
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
  const { connect: t } = useStrings()
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

function isShown(wallet: WalletListEntry, { recent, installed, external }: WaysIn): boolean {
  return (
    recent.some(({ id, connector }) => id === wallet.id || isSame(connector?.rdns, wallet.rdns)) ||
    [...installed, ...external].some(({ rdns }) => isSame(rdns, wallet.rdns))
  )
}

function isSame(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && a === b
}
