import { h } from '../screens/dom.ts'
import { loadWords } from '../words/words.ts'

// The window of a login shows this from the click on, until the provider's page is known: a window that opens later would
// be blocked.
const words = await loadWords(navigator.languages)
document.documentElement.lang = words.locale
document.documentElement.dir = words.direction
document.querySelector('#stage')?.replaceChildren(h('div', { class: 'standing', role: 'status' }, words.common.waiting))
