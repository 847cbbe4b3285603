import { pushView, type ConnectorGroup, type WalletRow } from '@latchkey/core'
import type { Namespace } from '@latchkey/protocol'
import type { ReactElement, ReactNode } from 'react'
import { useChunk } from '../../../chunks.ts'
import { useLatchkey } from '../../../context.ts'
import { useStrings } from '../../../strings/useStrings.ts'
import { chooseRow } from '../../chooseWallet.ts'
import { useWaysIn, type WaysIn } from './waysIn.ts'
import { Icon, type IconName, Mark, Row, SkeletonRows, WalletMark } from '../../parts.tsx'

/** What comes from the server's wallet list, so that nobody waits for it who has none. */
const loadListed = (): Promise<typeof import('./ListedWallets.tsx')> => import('./ListedWallets.tsx')

/** The wallets, in the order of groups that the app wants [R9.3.2]. */
export function WalletWays({ namespace }: { namespace?: Namespace }): ReactElement {
  const latchkey = useLatchkey()
  const { connect: t } = useStrings()
  const ways = useWaysIn(namespace)
  const { recent, injected, external, custom, walletConnect, hasList, showsAll } = ways
  const isEmpty = !hasList && recent.length + injected.length + external.length + custom.length === 0
  return (
    <>
      <ul className="rows">
        {latchkey.settings.connectorOrder.map((group) => (
          <Group key={group} group={group} ways={ways} />
        ))}
        {showsAll && <AllWalletsRow />}
      </ul>
      {isEmpty && <p className="hint center">{walletConnect === undefined ? t.none : t.noneButPhone}</p>}
      {recent.length + injected.length === 0 && <Guide />}
    </>
  )
}

function Group({ group, ways }: { group: ConnectorGroup; ways: WaysIn }): ReactNode {
  const latchkey = useLatchkey()
  const { connect: t } = useStrings()
  switch (group) {
    case 'walletConnect':
      // A phone does not scan itself; without a list of wallets the link is its only way.
      if (ways.walletConnect === undefined || (latchkey.settings.isMobile() && ways.showsAll)) return null
      return <PhoneRow name={ways.walletConnect.name} />
    case 'recent':
      return ways.recent.map((row, index) => (
        <RecentRow key={row.id} row={row} tag={index === 0 ? t.lastUsed : t.recent} />
      ))
    case 'injected':
      return ways.injected.map((row) => <KnownRow key={row.id} row={row} tag={t.installed} />)
    case 'custom':
    case 'external':
      return ways[group].map((row) => <KnownRow key={row.id} row={row} />)
    case 'featured':
    case 'recommended':
      return ways.hasList ? <ListedGroup group={group} ways={ways} /> : null
  }
}

function PhoneRow({ name }: { name: string }): ReactElement {
  const latchkey = useLatchkey()
  const { connect: t } = useStrings()
  return (
    <Row
      mark={<IconMark name="qr" />}
      name={name}
      tag={t.qrCode}
      onChoose={() => pushView(latchkey, { view: 'ConnectingWalletConnect', params: {} })}
    />
  )
}

/** A wallet of this page, or one that the app brings along. */
function KnownRow({ row, tag }: { row: WalletRow; tag?: string }): ReactElement {
  const latchkey = useLatchkey()
  const { name, icon, listed } = row
  return (
    <Row
      mark={listed === undefined ? <Mark name={name} icon={icon} /> : <WalletMark wallet={listed} />}
      name={name}
      tag={tag}
      onChoose={() => chooseRow(latchkey, row)}
    />
  )
}

/** Of a phone's wallet, the name is all that is known until the list is there, and enough for a QR code. */
function RecentRow({ row, tag }: { row: WalletRow; tag: string }): ReactElement {
  const { settings } = useLatchkey()
  const isKnown = row.connectorIds.length > 0 || row.listed !== undefined
  const listed = useChunk(loadListed, !isKnown && settings.server !== undefined)
  if (isKnown || listed === undefined || listed === 'failed') return <KnownRow row={row} tag={tag} />
  return <listed.RecentListedWallet wallet={row} tag={tag} />
}

function ListedGroup({ group, ways }: { group: 'featured' | 'recommended'; ways: WaysIn }): ReactElement | null {
  const { featuredWallets } = useLatchkey().settings
  const listed = useChunk(loadListed)
  const room = group === 'featured' ? featuredWallets.length : ways.recommended
  if (listed === 'failed' || room === 0) return null
  return listed === undefined ? (
    <SkeletonRows count={room} />
  ) : (
    <listed.ListedWallets group={group} room={room} besides={ways} />
  )
}

function AllWalletsRow(): ReactElement {
  const latchkey = useLatchkey()
  const { connect: t } = useStrings()
  const listed = useChunk(loadListed)
  return (
    <Row
      mark={<IconMark name="grid" />}
      name={t.allWallets}
      tag={listed !== undefined && listed !== 'failed' ? <listed.WalletCount /> : undefined}
      onChoose={() => pushView(latchkey, { view: 'AllWallets', params: {} })}
    />
  )
}

/** The way on for who has no wallet, as it seems. */
function Guide(): ReactElement {
  const latchkey = useLatchkey()
  const { connect: t } = useStrings()
  return (
    <p className="guide">
      <span>{t.noWallet}</span>
      <button type="button" className="link" onClick={() => pushView(latchkey, { view: 'GetWallet', params: {} })}>
        {t.getWallet}
      </button>
    </p>
  )
}

function IconMark({ name }: { name: IconName }): ReactElement {
  return (
    <span className="mark">
      <Icon name={name} />
    </span>
  )
}
