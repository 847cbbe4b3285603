import { networkImageUrl, walletImageUrl } from '@latchkey/core'
import { internalsOf } from '@latchkey/core/internal'
import type { Network, WalletListEntry } from '@latchkey/protocol'
import { useEffect, useState, type ReactElement, type ReactNode } from 'react'
import { useLatchkey } from '../../context.ts'
import { useIsPrepared } from '../shell/isPrepared.ts'
import { useViewStyles } from '../shell/shadowRoot.ts'
import { statusPanelCss } from './statusPanel.css.ts'

// The components that nearly all views use. They are one module, so that bundlers put them into one chunk.

const paths = {
  back: 'M12.5 4.5 7 10l5.5 5.5',
  check: 'm4.5 10.5 3.5 3.5 7.5-8',
  chevron: 'm6 8 4 4 4-4',
  close: 'm5 5 10 10M15 5 5 15',
  copy: 'M7 7h8.5v8.5H7zM4.5 13V4.5H13',
  exit: 'M8 4H5v12h3M9 10h7m-3-3 3 3-3 3',
  forward: 'm7.5 4.5 5.5 5.5-5.5 5.5',
  external: 'M8 5H5v10h10v-3M11 4.5h4.5V9M15 5l-6 6',
  help: 'M7.8 8a2.3 2.3 0 1 1 3.4 2c-.8.4-1.2.8-1.2 1.7m0 2.2v.1M10 2.8a7.2 7.2 0 1 1 0 14.4 7.2 7.2 0 0 1 0-14.4Z',
  key: 'M12.5 4a3.5 3.5 0 1 1-2.9 5.5L4 15v1.5h2.5V15H8v-1.5L10 11.4M13 7.2v.1',
  grid: 'M4.5 4.5h4v4h-4zM11.5 4.5h4v4h-4zM4.5 11.5h4v4h-4zM11.5 11.5h4v4h-4z',
  qr: 'M4 4h4.5v4.5H4zM11.5 4H16v4.5h-4.5zM4 11.5h4.5V16H4zM11.5 11.5v1.5m4.5-1.5v4.5M11.5 16h1.5',
  retry: 'M15.5 10a5.5 5.5 0 1 1-1.8-4.1M15.5 3.5V7H12',
  plus: 'M10 4.5v11M4.5 10h11',
  search: 'M13.5 8.75a4.75 4.75 0 1 1-9.5 0 4.75 4.75 0 0 1 9.5 0ZM12.2 12.2 16 16',
  settings: 'M4 6.5h6m4 0h2M4 13.5h2m4 0h6M14 6.5a2 2 0 1 1-4 0 2 2 0 0 1 4 0ZM10 13.5a2 2 0 1 1-4 0 2 2 0 0 1 4 0Z',
  turn: 'M6.5 15V5m0 0L3.5 8m3-3 3 3M13.5 5v10m0 0 3-3m-3 3-3-3',
  warn: 'M10 6.5V11m0 2.5v.2M10 2.8a7.2 7.2 0 1 1 0 14.4 7.2 7.2 0 0 1 0-14.4Z',
}

export type IconName = keyof typeof paths

/** An icon next to a text. It is never the only label of a control. */
export function Icon({ name, size = 20 }: { name: IconName; size?: number }): ReactElement {
  return <Drawing path={paths[name]} size={size} data-icon={name} />
}

/** A drawing of 20 by 20 units in the colour of the text. It is hidden from screen readers, because a name is next to it. */
export function Drawing({
  path,
  size,
  ...data
}: {
  path: string
  size: number
  [data: `data-${string}`]: string
}): ReactElement {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      {...data}
    >
      <path d={path} />
    </svg>
  )
}

/** The time limit of an image, after which its letter stays [R9.1.6]. */
const preloadMilliseconds = 2_000

export type MarkProps = {
  /** The name of the object. Its first letter replaces a missing image. */
  name: string
  /** A data URI, or an address of the app's own server. */
  icon?: string
  size?: 'small' | 'large'
}

/** The image of a wallet, network or token. It is hidden from screen readers, because the name is next to it. */
export function Mark({ name, icon, size }: MarkProps): ReactElement {
  const { clock } = internalsOf(useLatchkey())
  const [loaded, setLoaded] = useState<string>()
  const [refused, setRefused] = useState<string>()
  const isRemote = icon !== undefined && !icon.startsWith('data:')
  const isPrepared = useIsPrepared()
  const isShown = icon !== undefined && refused !== icon && !(isPrepared && isRemote)
  const isLate = isShown && isRemote && loaded !== icon
  useEffect(
    () => (isLate ? clock.after(preloadMilliseconds, () => setRefused(icon)) : undefined),
    [clock, icon, isLate],
  )
  return (
    <span className="mark" data-size={size} aria-hidden="true">
      {(!isShown || isLate) && letterOf(name)}
      {isShown && (
        <img
          src={icon}
          alt=""
          loading="lazy"
          width={40}
          height={40}
          draggable={false}
          onLoad={() => setLoaded(icon)}
          onError={() => setRefused(icon)}
        />
      )}
    </span>
  )
}

function letterOf(name: string): string {
  const [letter = '?'] = name.trim()
  return letter.toUpperCase()
}

/** The image of a listed wallet. */
export function WalletMark({ wallet, size }: { wallet: WalletListEntry; size?: MarkProps['size'] }): ReactElement {
  return <Mark name={wallet.name} icon={useWalletIcon(wallet)} size={size} />
}

/** The image of a network. */
export function NetworkMark({ network, size }: { network: Network; size?: MarkProps['size'] }): ReactElement {
  return <Mark name={network.name} icon={networkImageUrl(useLatchkey(), network)} size={size} />
}

/** Returns the image address of a listed wallet, or `undefined` if it has none. */
export function useWalletIcon(wallet: WalletListEntry | undefined): string | undefined {
  const latchkey = useLatchkey()
  return wallet === undefined ? undefined : walletImageUrl(latchkey, wallet)
}

export type RowProps = {
  mark: ReactNode
  name: ReactNode
  /** A second line. */
  sub?: ReactNode
  /** One or two words at the end of the row. */
  tag?: ReactNode
  /** An icon at the end of the row. */
  end?: IconName
  /** True if the row is the current one. */
  current?: boolean
  onChoose(): void
}

/** A row of a list. */
export function Row({ mark, name, sub, tag, end, current, onChoose }: RowProps): ReactElement {
  return (
    <li>
      <button type="button" className="row" part="row" aria-current={current} onClick={onChoose}>
        {mark}
        <span className="text">
          <span className="name">{name}</span>
          {sub !== undefined && <span className="sub">{sub}</span>}
        </span>
        {tag !== undefined && <span className="tag">{tag}</span>}
        {end !== undefined && <Icon name={end} />}
      </button>
    </li>
  )
}

/** Placeholders of rows that are loading. */
export function SkeletonRows({ count }: { count: number }): ReactElement[] {
  return Array.from({ length: count }, (_, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- nothing tells skeletons apart
    <li key={`skeleton ${index}`} className="row" aria-hidden="true">
      <span className="skeleton" />
      <span className="skeleton" />
    </li>
  ))
}

export type StatusPanelProps = {
  /** The wallet that the status is about. */
  wallet: { name: string; icon?: string }
  /** Replaces the image of the wallet. */
  mark?: ReactNode
  state: 'waiting' | 'ready' | 'failed'
  headline: string
  hint: ReactNode
}

/** The status of a request to a wallet: its image, what is pending or what happened, and what to do. */
export function StatusPanel({ wallet, mark, state, headline, hint }: StatusPanelProps): ReactElement {
  useViewStyles(statusPanelCss)
  return (
    <div className="status-panel" role={state === 'failed' ? 'alert' : 'status'}>
      <div className="status-panel-mark" data-state={state}>
        {state === 'waiting' && (
          <svg className="ring" viewBox="0 0 96 96" aria-hidden="true">
            <rect x="2" y="2" width="92" height="92" rx="29" pathLength="100" />
          </svg>
        )}
        {mark ?? <Mark name={wallet.name} icon={wallet.icon} size="large" />}
        {state === 'failed' && (
          <span className="badge">
            <Icon name="warn" size={24} />
          </span>
        )}
      </div>
      <p className="headline">{headline}</p>
      <p className="hint">{hint}</p>
    </div>
  )
}
