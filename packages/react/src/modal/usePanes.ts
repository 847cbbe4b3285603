import { getAccount, type Latchkey, type ViewEntry } from '@latchkey/core'
import { useCallback, useState, type ComponentType } from 'react'
import { useChunk, type Load } from '../chunks.ts'
import { useLatchkey } from '../context.ts'
import { views } from './views/index.ts'

/** A view on screen, or on its way out. */
export type Pane = {
  /** Grows with every view shown, so that each visit is a new one. */
  id: number
  entry: ViewEntry
  /** What it was given fits what it takes: both come from the same entry. */
  View: ComponentType<ViewEntry['params']>
}

export type Panes = {
  /** Undefined until the first view's code is there. */
  shown: Pane | undefined
  leaving: Pane | undefined
  /** The view that is wanted but could not be fetched. */
  missing: ViewEntry | undefined
  /** The leaving view is out of sight. */
  onLeft(): void
}

/**
 * Which views to draw for an entry of the history: the new one as soon as its code is there, until then the old one,
 * and the old one a little longer while it moves away. A change of mind in between wins.
 */
export function usePanes(wanted: ViewEntry): Panes {
  const latchkey = useLatchkey()
  const entry = drawable(latchkey, wanted)
  // One of the loaders, whose modules all draw a view; which one it is does not matter here.
  const load: Load<{ default: unknown }> | undefined = views[entry.view]
  const chunk = useChunk(load)
  const [{ shown, leaving }, setPanes] = useState<Pick<Panes, 'shown' | 'leaving'>>(() => ({
    shown: undefined,
    leaving: undefined,
  }))
  if (chunk !== undefined && chunk !== 'failed' && shown?.entry !== entry) {
    // The module is the one that `views` has for this very entry.
    const View = chunk.default as ComponentType<ViewEntry['params']>
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

/** A view that there is not gives way to the first one: an app without types may name anything. */
function drawable(latchkey: Latchkey, entry: ViewEntry): ViewEntry {
  if (views[entry.view] !== undefined) return entry
  return getAccount(latchkey).status === 'connected' ? account : connect
}

const account: ViewEntry = { view: 'Account', params: {} }
const connect: ViewEntry = { view: 'Connect', params: {} }
