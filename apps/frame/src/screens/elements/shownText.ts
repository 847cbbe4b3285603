import { splitVisibleText } from '../../approve/splitVisibleText.ts'
import { h, type Child } from './h.ts'

/** Returns untrusted text with invisible characters spelled out. Wrap it in `<bdi>`. */
export function shownText(text: string): readonly Child[] {
  return splitVisibleText(text).map((piece) =>
    typeof piece === 'string' ? piece : h('span', { class: 'unseen' }, piece.hidden),
  )
}
