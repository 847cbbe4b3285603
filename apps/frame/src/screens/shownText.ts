import { pieces } from '../approve/text.ts'
import { h, type Child } from './dom.ts'

/** What others wrote, with the characters named that would not be seen; to stand within `bdi`. */
export function shownText(text: string): readonly Child[] {
  return pieces(text).map((piece) => (typeof piece === 'string' ? piece : h('span', { class: 'unseen' }, piece.hidden)))
}
