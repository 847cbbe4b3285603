import { getAccount, isLatchkeyError, signMessage } from '@latchkey/core'
import { mount } from '@latchkey/elements'
import { latchkey } from './latchkey.ts'

const app = document.getElementById('app') ?? document.body
app.innerHTML = `
  <main>
    <h1>%NAME%</h1>
    <div id="connect"></div>
    <button type="button" id="sign" hidden>Sign a message</button>
    <output></output>
  </main>`

const connect = app.querySelector<HTMLElement>('#connect')
const sign = app.querySelector<HTMLButtonElement>('#sign')
const output = app.querySelector('output')
if (connect === null || sign === null || output === null) throw new Error('The page is not complete.')

mount(latchkey, connect)

const update = () => {
  sign.hidden = getAccount(latchkey).status !== 'connected'
}
latchkey.wallet.subscribe(update)
update()

sign.addEventListener('click', async () => {
  try {
    output.textContent = await signMessage(latchkey, 'Hello')
  } catch (error) {
    if (isLatchkeyError(error)) output.textContent = error.message
    else throw error
  }
})
