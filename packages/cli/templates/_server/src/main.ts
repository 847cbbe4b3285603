import { disconnect } from '@latchkey/core'
import { mount } from '@latchkey/elements'
import { latchkey } from './latchkey.ts'

const app = document.getElementById('app') ?? document.body
app.innerHTML = `
  <main>
    <h1>%NAME%</h1>
    <div id="connect"></div>
    <output></output>
    <button type="button" id="sign-out" hidden>Sign out</button>
  </main>`

const connect = app.querySelector<HTMLElement>('#connect')
const output = app.querySelector('output')
const signOut = app.querySelector<HTMLButtonElement>('#sign-out')
if (connect === null || output === null || signOut === null) throw new Error('The page is not complete.')

mount(latchkey, connect)

const update = async () => {
  const isSignedIn = latchkey.signIn.getState().status === 'signed'
  signOut.hidden = !isSignedIn
  output.textContent = isSignedIn ? await getGreeting() : ''
}
latchkey.signIn.subscribe(update)
void update()

// This ends the session on the server too.
signOut.addEventListener('click', () => disconnect(latchkey))

/** Gets a text that the server has for signed-in users only. */
async function getGreeting(): Promise<string> {
  const response = await fetch('/api/greeting')
  return response.ok ? response.text() : 'The server has no session. Sign in again.'
}
