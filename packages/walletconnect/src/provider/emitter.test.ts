import { describe, expect, test, vi } from 'vitest'
import { createEmitter } from './emitter.ts'

describe('an emitter', () => {
  test('calls each listener in order, and only for its event', () => {
    const order: string[] = []
    const { on, emit } = createEmitter<{ value: number; other: string }>()
    on('value', (value) => order.push(`first ${value}`))
    on('value', (value) => order.push(`second ${value}`))
    on('other', (value) => order.push(value))
    emit('value', 7)
    expect(order).toEqual(['first 7', 'second 7'])
  })

  test.each(['off', 'removeListener'] as const)('does not call a listener after %s', (name) => {
    const received: number[] = []
    const receive = (value: number): void => void received.push(value)
    const emitter = createEmitter<{ value: number }>()
    emitter.on('value', receive)
    emitter.once('value', receive)
    emitter[name]('value', receive)
    emitter.emit('value', 1)
    expect(received).toEqual([])
  })

  test('calls a listener of once a single time, even if it emits the event itself', () => {
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

  test('continues and reports the error when a listener throws', () => {
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
