import { describe, expect, test, vi } from 'vitest'
import { createEmitter } from './emitter.ts'

describe('an emitter', () => {
  test('tells each listener in turn, and only of its event', () => {
    const order: string[] = []
    const { on, emit } = createEmitter<{ value: number; other: string }>()
    on('value', (value) => order.push(`first ${value}`))
    on('value', (value) => order.push(`second ${value}`))
    on('other', (value) => order.push(value))
    emit('value', 7)
    expect(order).toEqual(['first 7', 'second 7'])
  })

  test.each(['off', 'removeListener'] as const)('leaves a listener alone after %s', (name) => {
    const heard: number[] = []
    const hear = (value: number): void => void heard.push(value)
    const emitter = createEmitter<{ value: number }>()
    emitter.on('value', hear)
    emitter.once('value', hear)
    emitter[name]('value', hear)
    emitter.emit('value', 1)
    expect(heard).toEqual([])
  })

  test('tells a listener of once a single time, also when it emits itself', () => {
    const values: number[] = []
    const { once, emit } = createEmitter<{ value: number }>()
    once('value', (value) => {
      values.push(value)
      emit('value', value + 1)
    })
    emit('value', 1)
    emit('value', 5)
    expect(values).toEqual([1])
  })

  test('goes on when a listener throws, and reports it', () => {
    const report = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { on, emit } = createEmitter<{ value: number }>()
    const values: number[] = []
    const mistake = new Error('of the app')
    on('value', () => {
      throw mistake
    })
    on('value', (value) => values.push(value))
    emit('value', 3)
    expect(values).toEqual([3])
    expect(report).toHaveBeenCalledExactlyOnceWith(mistake)
    report.mockRestore()
  })
})
