import { describe, expect, it } from 'vitest';
import { createQueue, QueueFull } from './limited-queue.ts';

const LIMITS = { maxRunning: 1, maxWaiting: 2, refusal: 'Too many.' };

describe('a queue', () => {
  /** Tasks that end when they are told to. */
  const createTasks = (count: number) =>
    Array.from({ length: count }, () => Promise.withResolvers<void>());
  const settle = () => new Promise((resolve) => setImmediate(resolve));

  it('runs two tasks at a time, in the order in which they came', async () => {
    const enqueue = createQueue({ ...LIMITS, maxRunning: 2, maxWaiting: 3 });
    const started: number[] = [];
    const tasks = createTasks(5);
    const done = tasks.map((task, index) =>
      enqueue(() => {
        started.push(index);
        return task.promise;
      }),
    );
    await settle();
    expect(started).toEqual([0, 1]);
    tasks[1]?.resolve();
    await settle();
    expect(started).toEqual([0, 1, 2]);
    tasks[0]?.reject(new Error('broken task'));
    await expect(done[0]).rejects.toThrow('broken task');
    await settle();
    expect(started).toEqual([0, 1, 2, 3]);
    for (const task of tasks) task.resolve();
    await Promise.all(done.slice(1));
    expect(started).toEqual([0, 1, 2, 3, 4]);
  });

  it('lets some go first, and never refuses them because of others', async () => {
    const enqueue = createQueue(LIMITS);
    const tasks = createTasks(4);
    const started: number[] = [];
    const add = (index: number, isFirst = false) =>
      enqueue(
        () => {
          started.push(index);
          return tasks[index]!.promise;
        },
        { isFirst },
      );
    const done = [add(0), add(1), add(2), add(3, true)];
    for (const task of tasks) task.resolve();
    await Promise.all(done);
    expect(started).toEqual([0, 3, 1, 2]);
  });

  it('refuses a task when too many wait, and takes it afterwards', async () => {
    const enqueue = createQueue(LIMITS);
    const tasks = createTasks(3);
    const done = tasks.map((task) => enqueue(() => task.promise));
    await expect(enqueue(async () => {})).rejects.toThrow(QueueFull);
    for (const task of tasks) task.resolve();
    await Promise.all(done);
    expect(await enqueue(async () => 'done')).toBe('done');
  });

  it('refuses one of many tasks of the same person, and takes those of others', async () => {
    const enqueue = createQueue({ ...LIMITS, maxWaiting: 9, maxPerSubject: 2 });
    const [first, second, third] = createTasks(3);
    const done = [
      enqueue(() => first!.promise, { subjects: ['ada', '192.0.2.1'] }),
      enqueue(() => second!.promise, { subjects: ['ada', '192.0.2.2'] }),
    ];
    const next = { subjects: ['ada', '192.0.2.3'] };
    await expect(enqueue(async () => {}, next)).rejects.toThrow('Too many.');
    done.push(enqueue(() => third!.promise, { subjects: ['ben', '192.0.2.1'] }));
    for (const task of [first, second, third]) task?.resolve();
    await Promise.all(done);
    expect(await enqueue(async () => 'done', next)).toBe('done');
  });
});
