-- Tasks that have a word with this beginning; with more than the limit, the word says too little.
SELECT DISTINCT task_id
FROM (
    SELECT task_id
    FROM words
    WHERE user_id = %(user_id)s AND word >= %(first)s AND word < %(beyond)s
    LIMIT %(limit)s
) AS found
