import { mount } from 'svelte'
import { createExample } from '../createExample.ts'
import Example from './Example.svelte'

mount(Example, { target: document.querySelector('main') ?? document.body, props: { latchkey: createExample() } })
