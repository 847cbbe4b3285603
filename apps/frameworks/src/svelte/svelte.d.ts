declare module '*.svelte' {
  import type { Component } from 'svelte'
  const component: Component<{ latchkey: import('@latchkey/core').Latchkey }>
  export default component
}
