import { defineElements } from '@latchkey/elements'
import { createExample } from '../createExample.ts'
import { renderExample } from '../renderExample.ts'

const latchkey = createExample()
const main = document.querySelector('main') ?? document.body
main.append(document.createElement('latchkey-button'), document.createElement('latchkey-network-button'))
defineElements(latchkey)
renderExample({ latchkey, main })
