import { mount } from '@latchkey/elements'
import { createExample } from '../createExample.ts'
import { renderExample } from '../renderExample.ts'

const latchkey = createExample()
const main = document.querySelector('main') ?? document.body
for (const button of ['connect', 'network'] as const) {
  const target = document.createElement('div')
  main.append(target)
  mount(latchkey, target, { button })
}
renderExample({ latchkey, main })
