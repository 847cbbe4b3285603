import { pushView, type Connector, type ConnectorGroup } from '@latchkey/core'
import { useState, type ReactElement, type ReactNode } from 'react'
import { useChunk } from '../../../chunks.ts'
import { useLatchkey } from '../../../context.ts'
import { useStrings } from '../../../strings/useStrings.ts'
import { useStore } from '../../../useStore.ts'
import { waysIn, type RecentWay, type WaysIn } from './waysIn.ts'
import { Icon, type IconName, Mark, Row, SkeletonRows } from '../../parts.tsx'

/** What comes from the server's wallet list, so that nobody waits for it who has none. */
const loadListed = (): Promise<typeof import('./ListedWallets.tsx')> => import('./ListedWallets.tsx')

/** The ways in, in the order that the app wants [R9.3.2]. */
export default function ConnectView(): ReactElement {
  const latchkey = useLatchkey()
  const { connect: t } = useStrings()
  const [used] = useState(() => latchkey.memory.recentWallets())
  const ways = waysIn(latchkey, useStore(latchkey.connectors), used)
  const hasNone = ways.installed.length + ways.external.length + ways.recent.length === 0 && !ways.hasList
  return (
    <>
      <ul className="rows">
        {latchkey.settings.connectorOrder.map((group) => (
          <Group key={group} group={group} ways={ways} />
        ))}
        {ways.hasList && <AllWalletsRow />}
      </ul>
      {hasNone && <p className="hint center">{ways.phone === undefined ? t.none : t.noneButPhone}</p>}
    </>
  )
}

function Group({ group, ways }: { group: ConnectorGroup; ways: WaysIn }): ReactNode {
  const latchkey = useLatchkey()
  const { connect: t } = useStrings()
  switch (group) {
    case 'walletConnect':
      // A phone does not scan itself; without a list of wallets the link is its only way.
      if (ways.phone === undefined || (latchkey.settings.isMobile() && ways.hasList)) return null
      return <PhoneRow connector={ways.phone} />
    case 'recent':
      return ways.recent.map((way, index) => (
        <RecentRow key={way.id} way={way} tag={index === 0 ? t.lastUsed : t.recent} />
      ))
    case 'injected':
      return ways.installed.map((connector) => (
        <ConnectorRow key={connector.id} connector={connector} tag={t.installed} />
      ))
    case 'external':
      return ways.external.map((connector) => <ConnectorRow key={connector.id} connector={connector} />)
    case 'featured':
    case 'recommended':
      return ways.hasList ? <ListedGroup group={group} ways={ways} /> : null
    case 'custom':
      return null
  }
}

function PhoneRow({ connector }: { connector: Connector }): ReactElement {
  const latchkey = useLatchkey()
  const { connect: t } = useStrings()
  return (
    <Row
      mark={<IconMark name="qr" />}
      name={connector.name}
      tag={t.qrCode}
      onChoose={() => pushView(latchkey, { view: 'ConnectingWalletConnect', params: {} })}
    />
  )
}

function ConnectorRow({ connector, tag }: { connector: Connector; tag?: string }): ReactElement {
  const latchkey = useLatchkey()
  const { id, name, icon } = connector
  return (
    <Row
      mark={<Mark name={name} icon={icon} />}
      name={name}
      tag={tag}
      onChoose={() => pushView(latchkey, { view: 'ConnectingExternal', params: { connectorId: id } })}
    />
  )
}

function RecentRow({ way, tag }: { way: RecentWay; tag: string }): ReactElement {
  const latchkey = useLatchkey()
  const listed = useChunk(loadListed, way.connector === undefined && latchkey.settings.server !== undefined)
  if (way.connector !== undefined) return <ConnectorRow connector={way.connector} tag={tag} />
  if (listed !== undefined && listed !== 'failed') return <listed.RecentListedWallet wallet={way} tag={tag} />
  // Until the list is there, the name is all that is known, and enough for a QR code.
  const wallet = { id: way.id, name: way.name, image_id: '', chains: [] }
  return (
    <Row
      mark={<Mark name={way.name} />}
      name={way.name}
      tag={tag}
      onChoose={() => pushView(latchkey, { view: 'ConnectingWalletConnect', params: { wallet } })}
    />
  )
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

function IconMark({ name }: { name: IconName }): ReactElement {
  return (
    <span className="mark">
      <Icon name={name} />
    </span>
  )
}
