import { splitVisibleText } from '../../approve/splitVisibleText.ts'
import { h, type Child } from './h.ts'

/** Returns foreign text with its invisible characters spelled out. Put it into `bdi`. */
export function shownText(text: string): readonly Child[] {
  return splitVisibleText(text).map((piece) =>
    typeof piece === 'string' ? piece : h('span', { class: 'unseen' }, piece.hidden),
  )
}
