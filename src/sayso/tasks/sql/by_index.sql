-- For what follows in this transaction: go along the index that has the order, and stop when the page is full. The planner
-- cannot know how many titles hold a word, and would rather read and sort all tasks of somebody with many.
SELECT
    set_config('enable_sort', 'off', true),
    set_config('enable_bitmapscan', 'off', true),
    set_config('enable_seqscan', 'off', true),
    set_config('jit', 'off', true)
