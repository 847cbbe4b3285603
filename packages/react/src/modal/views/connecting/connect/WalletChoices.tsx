import type { ConnectorGroup, WalletRow } from '@latchkey/core'
import { internalsOf } from '@latchkey/core/internal'
import { pushView } from '@latchkey/modal'
import type { Namespace } from '@latchkey/protocol'
import type { ReactElement, ReactNode } from 'react'
import { useChunk, type Load } from '../../../../useChunk.ts'
import { useLatchkey } from '../../../../context.ts'
import { useModalMessages } from '../../../../messages/useModalMessages.ts'
import { chooseRow } from '../../../chooseWallet.ts'
import { useWalletGroups, type WalletGroups } from './walletGroups.ts'
import { useIsPrepared } from '../../../shell/isPrepared.ts'
import { Icon, type IconName, Mark, Row, SkeletonRows, WalletMark } from '../../../parts/index.tsx'

type ListedModule = typeof import('./ListedWallets.tsx')

/** Apps without a server don't load the wallet list. */
const loadListed: Load<ListedModule> = () => import('./ListedWallets.tsx')

/** Returns the components that request the wallet list. They are loaded, but not used before the modal opens. */
function useListed(wanted: boolean = true): ListedModule | 'failed' | undefined {
  const listed = useChunk(loadListed, wanted)
  return useIsPrepared() ? undefined : listed
}

/** The wallets, by group in the order that the app configures [R9.3.2]. */
export function WalletChoices({ namespace }: { namespace?: Namespace }): ReactElement {
  const latchkey = useLatchkey()
  const { connect: t } = useModalMessages()
  const groups = useWalletGroups(namespace)
  const { host, recent, injected, external, custom, walletConnect, hasList, showsAll } = groups
  const isEmpty = !hasList && host.length + recent.length + injected.length + external.length + custom.length === 0
  return (
    <>
      <ul className="rows">
        {groups.host.map((row) => (
          <KnownRow key={row.id} row={row} />
        ))}
        {internalsOf(latchkey).settings.connectorOrder.map((group) => (
          <Group key={group} group={group} groups={groups} />
        ))}
        {showsAll && <AllWalletsRow />}
      </ul>
      {isEmpty && <p className="hint center">{walletConnect === undefined ? t.noWallets : t.noWalletsButPhone}</p>}
      {host.length + recent.length + injected.length === 0 && <Guide />}
    </>
  )
}

function Group({ group, groups }: { group: ConnectorGroup; groups: WalletGroups }): ReactNode {
  const latchkey = useLatchkey()
  const { connect: t } = useModalMessages()
  switch (group) {
    case 'walletConnect':
      // A phone can't scan its own screen. Without a wallet list, the pairing link is its only option.
      if (groups.walletConnect === undefined || (internalsOf(latchkey).settings.isMobile() && groups.showsAll))
        return null
      return <PhoneRow name={groups.walletConnect.name} />
    case 'recent':
      return groups.recent.map((row, index) => (
        <RecentRow key={row.id} row={row} tag={index === 0 ? t.lastUsed : t.recent} />
      ))
    case 'injected':
      return groups.injected.map((row) => <KnownRow key={row.id} row={row} tag={t.installed} />)
    case 'custom':
    case 'external':
      return groups[group].map((row) => <KnownRow key={row.id} row={row} />)
    case 'featured':
    case 'recommended':
      return groups.hasList ? <ListedGroup group={group} groups={groups} /> : null
  }
}

function PhoneRow({ name }: { name: string }): ReactElement {
  const latchkey = useLatchkey()
  const { connect: t } = useModalMessages()
  return (
    <Row
      mark={<IconMark name="qr" />}
      name={name}
      tag={t.qrCode}
      onChoose={() => pushView(latchkey, { view: 'ConnectingWalletConnect', params: {} })}
    />
  )
}

/** A wallet of this page, or one that the app configured. */
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

/** A recent phone wallet. Until the list is loaded, only its name is known, which suffices for a QR code. */
function RecentRow({ row, tag }: { row: WalletRow; tag: string }): ReactElement {
  const { settings } = internalsOf(useLatchkey())
  const isKnown = row.connectorIds.length > 0 || row.listed !== undefined
  const listed = useListed(!isKnown && settings.server !== undefined)
  if (isKnown || listed === undefined || listed === 'failed') return <KnownRow row={row} tag={tag} />
  return <listed.RecentListedWallet wallet={row} tag={tag} />
}

function ListedGroup({
  group,
  groups,
}: {
  group: 'featured' | 'recommended'
  groups: WalletGroups
}): ReactElement | null {
  const { featuredWallets } = internalsOf(useLatchkey()).settings
  const listed = useListed()
  const room = group === 'featured' ? featuredWallets.length : groups.recommended
  if (listed === 'failed' || room === 0) return null
  return listed === undefined ? (
    <SkeletonRows count={room} />
  ) : (
    <listed.ListedWallets group={group} room={room} shown={groups} />
  )
}

function AllWalletsRow(): ReactElement {
  const latchkey = useLatchkey()
  const { connect: t } = useModalMessages()
  const listed = useListed()
  return (
    <Row
      mark={<IconMark name="grid" />}
      name={t.allWallets}
      tag={listed !== undefined && listed !== 'failed' ? <listed.WalletCount /> : undefined}
      onChoose={() => pushView(latchkey, { view: 'AllWallets', params: {} })}
    />
  )
}

/** Help for users who seem to have no wallet. */
function Guide(): ReactElement {
  const latchkey = useLatchkey()
  const { connect: t } = useModalMessages()
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
