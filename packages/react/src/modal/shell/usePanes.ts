import { getAccount, type Latchkey } from '@latchkey/core'
import type { ViewEntry } from '@latchkey/modal'
import { useCallback, useState, type ComponentType } from 'react'
import { useChunk, type Load } from '../../useChunk.ts'
import { useLatchkey } from '../../context.ts'
import ConnectView from '../views/connecting/connect/ConnectView.tsx'
import { views } from '../views/index.ts'

/** A view that is shown, or that slides out. */
export type Pane = {
  /** Increases with every view, so that each visit has its own id. */
  id: number
  entry: ViewEntry
  /** The component of the entry. Its props match the entry's parameters. */
  View: ComponentType<ViewEntry['params']>
}

export type Panes = {
  /** Undefined until the first view is loaded. */
  shown: Pane | undefined
  leaving: Pane | undefined
  /** The entry whose view could not be loaded. */
  missing: ViewEntry | undefined
  /** Called when the leaving view is out of sight. */
  onLeft(): void
}

/**
 * Returns the views to render for an entry of the history: the new view once it is loaded, and the old one until it has slid
 * out. Later entries replace earlier ones.
 */
export function usePanes(wanted: ViewEntry): Panes {
  const latchkey = useLatchkey()
  const entry = toKnownEntry(latchkey, wanted)
  // One of the loaders. All of their modules export a view.
  const load: Load<{ default: unknown }> | undefined = views[entry.view]
  const chunk = useChunk(load)
  const [{ shown, leaving }, setPanes] = useState<Pick<Panes, 'shown' | 'leaving'>>(() => ({
    shown: undefined,
    leaving: undefined,
  }))
  // The module is that of `views` for the same entry.
  const loaded = entry.view === 'Connect' ? ConnectView : chunk === 'failed' ? undefined : chunk?.default
  if (loaded !== undefined && shown?.entry !== entry) {
    const View = loaded as ComponentType<ViewEntry['params']>
    const isBack = leaving?.entry === entry
    setPanes({ shown: isBack ? leaving : { id: nextId(shown, leaving), entry, View }, leaving: shown })
  }
  return {
    shown,
    leaving,
    missing: chunk === 'failed' ? entry : undefined,
    onLeft: useCallback(() => setPanes((panes) => ({ ...panes, leaving: undefined })), []),
  }
}

function nextId(shown: Pane | undefined, leaving: Pane | undefined): number {
  return Math.max(shown?.id ?? 0, leaving?.id ?? 0) + 1
}

/** Replaces an unknown view by the first one: apps without types may pass any name. */
function toKnownEntry(latchkey: Latchkey, entry: ViewEntry): ViewEntry {
  if (entry.view === 'Connect' || views[entry.view] !== undefined) return entry
  return getAccount(latchkey).status === 'connected' ? account : connect
}

const account: ViewEntry = { view: 'Account', params: {} }
const connect: ViewEntry = { view: 'Connect', params: {} }
